/** What a statement has besides text in quotes: lists, and places of values. */
const PLACES = /'(?:[^']|'')*'|"[^"]*"|(NOT )?IN \(\?(\d*)\)|\?(\d*)/g

/** Whether a statement has places as both databases have them. A statement for PostgreSQL alone has `$1`, `$2`… */
const hasPlaces = (sql: string): boolean => sql.includes('?')

/** A statement with `$1`, `$2`… for its values, and lists as arrays. */
export function toPostgres(sql: string): string {
  if (!hasPlaces(sql)) return sql
  let last = 0
  const place = (number: string): string => `$${number === '' ? ++last : number}`
  return sql.replace(PLACES, (text: string, not?: string, list?: string, value?: string) => {
    if (value !== undefined) return place(value)
    if (list === undefined) return text
    return not === undefined ? `= ANY(${place(list)})` : `<> ALL(${place(list)})`
  })
}

/** A statement whose lists are JSON. */
export function toSqlite(sql: string): string {
  if (!sql.includes('IN (?')) return sql
  return sql.replace(PLACES, (text: string, not?: string, list?: string) =>
    list === undefined ? text : `${not ?? ''}IN (SELECT value FROM json_each(?${list}))`,
  )
}
