import type { ApiKeyStore } from './api-key-store.ts'
import type { FlowStore } from './flow-store.ts'

/** What a backup holds, in numbers. */
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
  /** Where the secret is that opens the credentials: in the backup, or in the setting SECRET_KEY. */
  secret: 'included' | 'SECRET_KEY'
}

/** One check of a data directory: how many things it looked at, and what it found. */
export type Verification = {
  check: string
  looked: number
  findings: string[]
  /** Why it could not be looked at. */
  skipped?: string
}

/** What can be read and written of an installation while its server may run. */
export type OpenInstallation = {
  keys: ApiKeyStore
  flows: FlowStore
  /** A code for one sign-in to the studio within five minutes. */
  newSignInCode(): Promise<string>
  close(): Promise<void>
}

/** Work on a data directory that needs no server. A directory is named by its path. */
export type OfflineTools = {
  /** Opens the database, which is made where there is none. @throws SluiceError `data_dir_unusable`, `database_unusable` */
  open(directory: string): Promise<OpenInstallation>
  /** Copies everything into one file, while a server runs or not. @throws SluiceError */
  backup(directory: string, file: string): Promise<BackupReport>
  /**
   * Brings a backup back into an empty directory.
   *
   * @throws SluiceError `restore_target_used`, `backup_invalid`, `data_dir_in_use`, `data_dir_unusable`, `storage_full`
   */
  restore(file: string, directory: string): Promise<BackupReport>
  /** Looks for damage and only reads. @throws SluiceError `database_gone` where there is no database */
  verify(directory: string): Promise<Verification[]>
  /**
   * Makes the secret that is set now, or a new one, the valid one, while no server runs.
   *
   * @param setting the setting SECRET_KEY
   * @returns names of the credentials that it cannot open: they have to be entered again
   * @throws SluiceError `data_dir_in_use`
   */
  adoptSecret(directory: string, setting: string | undefined): Promise<string[]>
}
