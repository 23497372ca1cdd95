/** Whether a shelf can have a file of this name. */
export const isBlobName = (name: string): boolean =>
  name.length <= 500 && /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(name)

/** Refuses a name that is not one of a shelf. */
export function checkBlobName(name: string): void {
  if (!isBlobName(name)) throw new TypeError(`${JSON.stringify(name)} is not a name of a blob`)
}
