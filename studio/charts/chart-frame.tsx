import type { ReactNode } from 'react'
import { ScrollBox } from '../parts/scroll-box.tsx'
import styles from './chart.module.css'

type ChartFrameProps = {
  title: string
  /** A sentence with what the chart shows, for a reader who does not see it. */
  summary: string
  /** The names of the series, in the order of their colours. */
  legend?: readonly string[]
  /** The same figures as a table. */
  head: readonly string[]
  rows: readonly (readonly string[])[]
  /** Shown in place of the chart while there is nothing to draw. */
  empty: string
  children: ReactNode
}

/** A chart with its title, its legend, and its figures as a table. */
export function ChartFrame({ title, summary, legend, head, rows, empty, children }: ChartFrameProps) {
  return (
    <figure className={styles.frame}>
      <figcaption className={styles.caption}>
        <h3>{title}</h3>
        {legend ? (
          <ul className={styles.legend}>
            {legend.map((name, at) => (
              <li key={name} data-series={at}>
                {name}
              </li>
            ))}
          </ul>
        ) : null}
      </figcaption>
      {rows.length === 0 ? (
        <p className={styles.empty}>{empty}</p>
      ) : (
        <>
          <div role="img" aria-label={summary}>
            {children}
          </div>
          <details className={styles.figures}>
            <summary>Figures</summary>
            <ScrollBox className={styles.tableBox} aria-label={`Figures: ${title}`}>
              <table>
                <thead>
                  <tr>
                    {head.map((name) => (
                      <th key={name} scope="col">
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr key={row.join()}>
                      {row.map((cell, at) => (
                        <td key={head[at]}>{cell}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollBox>
          </details>
        </>
      )}
    </figure>
  )
}
