import guide from '../../../docs/guide.md?raw'
import { AccountMenu } from '../../parts/account-menu.tsx'
import { MainNav } from '../../parts/main-nav.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { TopBar } from '../../parts/top-bar.tsx'
import styles from './guide.module.css'
import { sectionsOf } from './sections.ts'

const SECTIONS = sectionsOf(guide)

/** The guide for the first hour, the same text as docs/guide.md. */
export function Guide() {
  return (
    <div className={styles.screen}>
      <TopBar actions={<AccountMenu />}>
        <MainNav />
      </TopBar>
      <main className={styles.main}>
        <h1>Guide</h1>
        <nav className={styles.chapters} aria-label="Chapters">
          {SECTIONS.map(({ id, title }) => (
            <a key={id} href={`#${id}`}>
              {title}
            </a>
          ))}
        </nav>
        {SECTIONS.map(({ id, title, text }) => (
          <section key={id} id={id} aria-labelledby={`${id}-heading`}>
            <h2 id={`${id}-heading`}>{title}</h2>
            <Markdown text={text} />
          </section>
        ))}
      </main>
    </div>
  )
}
