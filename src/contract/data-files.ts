/** What a data directory holds, by name. */
export const DATA_FILES = {
  database: 'sluice.db',
  lock: 'sluice.lock',
  /** Says that there is a database here: without it, one that is gone would look like one that was never made. */
  marker: 'sluice.marker',
  /** The secret that seals credentials, unless SECRET_KEY is set. */
  secret: 'secret.key',
  uploads: 'uploads',
  scratch: 'scratch',
  /** A few bytes that can be freed when the disk is full. */
  reserve: 'sluice.reserve',
  /** What a restore is taking apart. */
  restoring: 'restoring',
} as const
