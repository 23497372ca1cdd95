/** Facts that the installation keeps about itself, such as its own secret. */
export type SettingStore = {
  get(name: string): Promise<string | undefined>
  /** Keeps the value unless there is one already; answers the one that holds. */
  keep(name: string, value: string): Promise<string>
  /** Removes a value, from the file on disk too: it may have been a secret. */
  remove(name: string): Promise<void>
}
