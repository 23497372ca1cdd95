/** The names of the files in a data directory. */
export const DATA_FILES = {
  database: 'sluice.db',
  lock: 'sluice.lock',
  /** Where the server of the directory listens, while it does. A killed server leaves it: only the lock says whether one runs. */
  address: 'sluice.address',
  /** Marks that the directory has had a database: a missing database is then an error, not a first start. */
  marker: 'sluice.marker',
  /** The secret that encrypts credentials, unless SECRET_KEY is set. */
  secret: 'secret.key',
  /** The secret that a rotation is going to use. */
  nextSecret: 'secret.key.next',
  /** With BLOB_URL these are copies, which every start removes. */
  uploads: 'uploads',
  scratch: 'scratch',
  /** The lists of dry runs, a folder each. */
  dryRuns: 'dry-runs',
  /** Temporary indexes of comparisons, a folder each: what a comparison goes on from after a restart. */
  comparisons: 'comparisons',
  /** Files of documents, of flows that keep them. */
  originals: 'originals',
  /** Copies of vectors as they are in memory. They can be deleted at any time. */
  vectorImages: 'vector-images',
  /** What this member searches of a shared database. It can be deleted while the server is stopped. */
  replica: 'replica',
  /** In the folder of the replica: the indexes that were fetched, a folder with a database each. */
  fetched: 'indexes',
  /** The backups that upgrades of the schema have made. */
  backups: 'backups',
  /** A few bytes that can be freed when the disk is full. */
  reserve: 'sluice.reserve',
  /** The folder of a restore that is running or was interrupted. */
  restoring: 'restoring',
  /** The folder of a move from PostgreSQL that is running or was interrupted. */
  moving: 'moving',
} as const

/** The setting in a database whose files are in the bucket of BLOB_URL. */
export const FILES_ON_BUCKET = 'filesOnBucket'
