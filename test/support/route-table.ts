/** A line of the table of routes: who may call, and the status that each caller gets. */
export type RouteRow = {
  /** As in `GET /api/v1/jobs/:id`. */
  route: string
  /** The scopes of which any one opens the route; empty where none is asked for. */
  scopes: readonly string[]
  /** The status of the plain request, by caller. */
  statuses: Readonly<Record<string, number>>
  /** What a caller without a key gets for an id that does not exist; undefined where the path names none. */
  missing: number | undefined
  /** The status of an OPTIONS request, which needs no key. */
  options: number
}

/** Reads the table: a line per route, columns separated by blanks, the first line names them. `-` is nothing. */
export function readRouteTable(table: string): RouteRow[] {
  const [head = '', ...lines] = table.trim().split('\n')
  const columns = head.trim().split(/ +/)
  return lines.map((line) => {
    const [method, path, ...cells] = line.trim().split(/ +/)
    const named = Object.fromEntries(columns.slice(1).map((column, index) => [column, cells[index] ?? '']))
    const { scope, missing, OPTIONS, ...callers } = named
    const statuses = Object.entries(callers).map(([caller, cell]) => [caller, statusOf(cell)] as const)
    return {
      route: `${method} ${path}`,
      scopes: scope === '-' ? [] : scope!.split('/'),
      statuses: Object.fromEntries(statuses),
      missing: missing === '-' ? undefined : statusOf(missing),
      options: statusOf(OPTIONS),
    }
  })
}

function statusOf(cell: string | undefined): number {
  if (!/^\d{3}$/.test(cell ?? '')) throw new Error(`the table of routes has ${cell} where a status belongs`)
  return Number(cell)
}
