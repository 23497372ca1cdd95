/** The message about a file without the name of the file, which stands beside it. */
export function fileReason(name: string, message: string): string {
  if (name === '' || !message.includes(name)) return message
  const rest = message.startsWith(name) ? message.slice(name.length).replace(/^:?\s+/, '') : message
  return rest.replaceAll(name, 'this file')
}

/** Files that failed for one reason. `names` has the first of them. */
export type FailureGroup = { code: string | null; reason: string; files: number; names: string[] }

/** How many names a group has. */
const SHOWN_NAMES = 20

type FailedRow = { name: string; code?: string | undefined; message?: string | undefined }

/** Adds failed files to the groups of their reasons, the reason that came first at the front. */
export function groupFailures(rows: Iterable<FailedRow>, groups = new Map<string, FailureGroup>()) {
  for (const { name, code = null, message = 'there is no reason known' } of rows) {
    const reason = fileReason(name, message)
    const key = `${code}\n${reason}`
    const group = groups.get(key) ?? { code, reason, files: 0, names: [] }
    groups.set(key, group)
    group.files++
    if (group.names.length < SHOWN_NAMES) group.names.push(name)
  }
  return groups
}
