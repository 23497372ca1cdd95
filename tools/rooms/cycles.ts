import type { Arrow } from './survey.ts'

/** Circles of imports, each as its arrows in walking order; a circle is named once, however one enters it. */
export function cycles(arrows: Arrow[]): Arrow[][] {
  const leaving = Map.groupBy(arrows, (arrow) => arrow.from)
  const found: Arrow[][] = []
  const done = new Set<string>()
  const way: Arrow[] = []

  const walk = (file: string) => {
    for (const arrow of leaving.get(file) ?? []) {
      if (done.has(arrow.to)) continue
      way.push(arrow)
      const start = way.findIndex((step) => step.from === arrow.to)
      if (start < 0) walk(arrow.to)
      else found.push(way.slice(start))
      way.pop()
    }
    done.add(file)
  }
  for (const file of leaving.keys()) if (!done.has(file)) walk(file)
  return found
}
