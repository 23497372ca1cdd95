/** How often each operation was answered with which class of statuses. */
export class Tally {
  readonly #counts = new Map<string, Map<string, number>>()

  add(route: string, status: number): void {
    const counts = this.#counts.get(route) ?? new Map<string, number>()
    const kind = `${Math.floor(status / 100)}xx`
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    this.#counts.set(route, counts)
  }

  of(route: string, kind: string): number {
    return this.#counts.get(route)?.get(kind) ?? 0
  }

  /** A line for each operation, and one for the total. */
  lines(): string[] {
    const kinds = ['2xx', '4xx', '5xx']
    const row = (name: string, counts: (kind: string) => number) =>
      `${name.padEnd(48)}${kinds.map((kind) => ` ${kind} ${String(counts(kind)).padStart(6)}`).join('')}`
    const routes = [...this.#counts.keys()].toSorted()
    const sum = (kind: string) => routes.reduce((total, route) => total + this.of(route, kind), 0)
    return [...routes.map((route) => row(route, (kind) => this.of(route, kind))), row('all', sum)]
  }
}
