/** What a data directory holds, by name. */
export const DATA_FILES = {
  database: 'sluice.db',
  lock: 'sluice.lock',
  uploads: 'uploads',
  scratch: 'scratch',
  /** A few bytes that can be freed when the disk is full. */
  reserve: 'sluice.reserve',
  /** What a restore is taking apart. */
  restoring: 'restoring',
} as const
