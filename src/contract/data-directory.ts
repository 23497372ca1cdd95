import type { ApiKeyStore } from './api-key-store.ts'
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
}

/** One check of a data directory: how many things it has checked, and the faults that it found. */
export type Verification = {
  check: string
  looked: number
  findings: string[]
  /** Why it could not be checked. */
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
  /** Opens the database, and creates it if it does not exist. @throws SluiceError `data_dir_unusable`, `database_unusable` */
  open(directory: string): Promise<OpenInstallation>
  /** Copies everything into one file, also while a server runs. @throws SluiceError */
  backup(directory: string, file: string): Promise<BackupReport>
  /**
   * Restores a backup into an empty directory.
   *
   * @throws SluiceError `restore_target_used`, `backup_invalid`, `data_dir_in_use`, `data_dir_unusable`, `storage_full`
   */
  restore(file: string, directory: string): Promise<BackupReport>
  /** Searches for damage, without any write. @throws SluiceError `database_gone` where there is no database */
  verify(directory: string): Promise<Verification[]>
  /**
   * Replaces the secret by the one that is set, or by a new one, while no server runs.
   *
   * @param setting the setting SECRET_KEY
   * @returns the names of credentials that it cannot decrypt: they have to be entered again
   * @throws SluiceError `data_dir_in_use`
   */
  adoptSecret(directory: string, setting: string | undefined): Promise<string[]>
}
