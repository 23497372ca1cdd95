/** What the database knows of kept files: which of them documents name. */
export type OriginalStore = {
  /** The bytes of all files that documents name. */
  bytes(): Promise<number>
  /** Ids that documents named earlier and none names any more, at most 1,000. */
  gone(): Promise<string[]>
  /** These ids were removed: `gone` does not give them again. */
  remove(ids: readonly string[]): Promise<void>
  /** Those of some ids that a document names. */
  named(ids: readonly string[]): Promise<Set<string>>
}
