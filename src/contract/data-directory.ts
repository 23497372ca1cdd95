import type { ApiKeyStore } from './api-key-store.ts'
import type { Config } from '../kit/config.ts'
import type { EngineCheck, EngineCheckRequest } from './engine-check.ts'
import type { EnginesFound, VerificationOptions } from './engine-comparison.ts'
import type { FlowStore } from './flow-store.ts'

/** The counts of a backup. */
export type BackupReport = {
  file: string
  bytes: number
  flows: number
  chunks: number
  credentials: number
  keys: number
  /** Jobs whose uploads are included, and how many bytes those are. */
  jobs: number
  uploadBytes: number
  /** Where the secret of the credentials is: in the backup, or in the setting SECRET_KEY. */
  secret: 'included' | 'SECRET_KEY'
  /** Where the files of documents and jobs are in the bucket of this setting. */
  files?: 'BLOB_URL'
  /** After a restore: the names of files in the backup that are none of Sluice. They were not restored. */
  leftOut?: string[]
}

/** A rescue from a data directory, or from a backup, with a schema before the first release. */
export type RescueRequest = {
  from: string
  /** The backup to write. */
  file: string
  /** Replaces the file. */
  force: boolean
  /** The setting SECRET_KEY. */
  secretKey: string | undefined
}

/** What a rescue has written. */
export type RescueReport = {
  file: string
  bytes: number
  schema: number
  /** Without deleted ones. */
  flows: number
  keys: number
  credentials: number
  variables: number
  /** Questions and answers. */
  messages: number
  /** Where the secret of the credentials is: in the file, or in the setting SECRET_KEY. */
  secret: BackupReport['secret']
  /** The names of credentials that no known secret decrypts. They are in the file, and have to be entered again. */
  unreadable: string[]
  /** Sentences about what is missing or changed because the database is damaged. */
  damage: string[]
  /** A server was using the directory: what it stores from then on is not in the file. */
  isInUse: boolean
}

/** One check of a data directory: how many things it has checked, and the faults that it found. */
export type Verification = {
  check: string
  looked: number
  findings: string[]
  /** What it says where it finds nothing wrong. */
  note?: string
  /** Why it could not be checked. */
  skipped?: string
  /** It was skipped since the schema is of another version: nothing is known of what it checks. */
  unread?: true
}

/** A move between a data directory and a PostgreSQL database. */
export type MoveRequest = {
  into: 'postgres' | 'directory'
  directory: string
  /** As in DATABASE_URL. */
  address: string
  /** The setting SECRET_KEY. */
  secretKey: string | undefined
  /** Deletes what an unfinished move has left in the target, and begins anew. */
  restart: boolean
}

/** How far a move is: rows of one table that were copied or compared, of a total. */
export type MoveProgress = { step: 'copy' | 'compare'; table: string; rows: number; total: number }

/** A table after a move: its rows, and the SHA-256 of them, which is the same in both databases. */
export type MovedTableReport = { table: string; rows: number; sha256: string }

export type MoveReport = {
  tables: MovedTableReport[]
  /** Where the secret of the credentials is: in the file of the data directory, or in the setting. */
  secret: 'secret.key' | 'SECRET_KEY'
  /** The secret, where it is known. Not to be shown unless it is asked for. */
  secretText: string | undefined
}

/** A rotation of the secret of a data directory, or of the database at `address`. */
export type RotationRequest = DataPlace & {
  /** The setting SECRET_KEY; the secret is in the file secret.key unless given. */
  before: string | undefined
  /** The new secret; a random one for the file unless given. */
  after: string | undefined
}

/** How much a rotation has sealed anew. */
export type RotationReport = {
  credentials: number
  /** Jobs with a request. */
  jobs: number
  /** Names of credentials that were unreadable before: they have to be entered again. */
  unreadable: string[]
  /** Everything was sealed with the new secret already. */
  isDone: boolean
}

/** Where an installation has its data: in a data directory, or in the PostgreSQL database at `address` where that is given. */
export type DataPlace = {
  directory: string
  /** As in DATABASE_URL. */
  address?: string | undefined
}

/** What can be read and written of an installation while its servers may run. */
export type OpenInstallation = {
  keys: ApiKeyStore
  flows: FlowStore
  /** A code for one sign-in to the studio within five minutes. */
  newSignInCode(): Promise<string>
  close(): Promise<void>
}

/** Work on the data of an installation that needs no server. A directory is named by its path. */
export type OfflineTools = {
  /**
   * Opens the database, and creates it if it does not exist.
   *
   * @throws SluiceError `data_dir_unusable`, `database_unusable`; `database_unreachable`, `move_unfinished` for an address
   */
  open(place: DataPlace): Promise<OpenInstallation>
  /**
   * The server that has locked a data directory, with the address at which it listens: none while it starts. Undefined where no
   * server has.
   *
   * @throws SluiceError `data_dir_unusable`
   */
  runningServer(directory: string): Promise<{ url?: string } | undefined>
  /** Copies everything into one file, also while a server runs. @throws SluiceError */
  backup(directory: string, file: string): Promise<BackupReport>
  /**
   * Restores a backup into an empty directory.
   *
   * @throws SluiceError `restore_target_used`, `backup_invalid`, `data_dir_in_use`, `data_dir_unusable`, `storage_full`
   */
  restore(file: string, directory: string): Promise<BackupReport>
  /**
   * Writes what a data directory or a backup of schemas 8 to 23 holds, without its documents, as a backup of the present schema. It
   * only reads there, also where a server is running.
   *
   * @throws SluiceError `database_unusable`, `database_newer`, `rescue_needless`, `rescue_impossible`, `rescue_target_exists`,
   *   `backup_failed`, `storage_full`, `data_dir_unusable`
   */
  rescue(request: RescueRequest): Promise<RescueReport>
  /**
   * Moves everything between a data directory and a PostgreSQL database, without a server. After an interruption, the next call
   * goes on.
   *
   * @throws SluiceError `data_dir_in_use`, `database_in_use`, `move_target_used`, `move_done`, `move_differs`, `secret_wrong`
   */
  move(request: MoveRequest, note: (progress: MoveProgress) => void): Promise<MoveReport>
  /**
   * Seals everything with a new secret, while no server runs. After an interruption, the same call again ends it.
   *
   * @throws SluiceError `data_dir_in_use`, `database_in_use`, `secret_wrong`, `secret_missing`, `secret_same`, `secret_not_given`
   */
  rotateSecret(request: RotationRequest): Promise<RotationReport>
  /**
   * Searches for damage, without any write: in a data directory, or in the PostgreSQL database at `address` and the replica that the
   * directory has of it.
   *
   * @throws SluiceError `database_gone` where there is no database
   */
  verify(directory: string, address: string | undefined): Promise<Verification[]>
  /**
   * Compares separate engines with the ledger, for all flows or for one; `repair` mends what differs. Undefined where the database
   * has the schema of an earlier version.
   *
   * @throws SluiceError `flow_not_found`; `data_dir_in_use` or `database_in_use` for a repair while a server runs
   */
  verifyEngines(config: Config, options: VerificationOptions): Promise<EnginesFound | undefined>
  /**
   * Tries an engine with a collection of its own, which it removes, also after a failure. It needs no data directory.
   *
   * @param signal stops between two calls; what is there is still removed
   * @throws SluiceError `input_invalid` where the node of the engine cannot have the address or the prefix
   */
  checkEngine(config: Config, request: EngineCheckRequest, signal: AbortSignal): Promise<EngineCheck>
  /** Deletes the replica of a data directory: the next searches copy it again. @throws SluiceError `data_dir_in_use` */
  dropReplica(directory: string): Promise<void>
  /**
   * Replaces the secret by the one that is set, or in a data directory by a new one, while no server runs.
   *
   * @param setting the setting SECRET_KEY
   * @returns the names of credentials that it cannot decrypt: they have to be entered again
   * @throws SluiceError `data_dir_in_use`, `database_in_use`; `config_invalid` for a PostgreSQL database without it
   */
  adoptSecret(place: DataPlace, setting: string | undefined): Promise<string[]>
}
