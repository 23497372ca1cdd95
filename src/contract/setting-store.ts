/** Values that an installation stores for itself, by name. */
export type SettingStore = {
  get(name: string): Promise<string | undefined>
  /** Stores a value unless the name has one already. @returns the stored value */
  keep(name: string, value: string): Promise<string>
  /** Removes a value and overwrites it in the file: it may be a secret. */
  remove(name: string): Promise<void>
}
