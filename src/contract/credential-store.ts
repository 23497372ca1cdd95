/** A credential without its secrets. */
export type CredentialRow = {
  id: string
  name: string
  /** The kind, which determines the inputs: `openAIApi`, `googleGenerativeAI`… */
  kind: string
  createdAt: number
  updatedAt: number
  /** When a node last read its values, to five minutes, in milliseconds since 1970; null if never. */
  lastUsedAt: number | null
}

/** A credential that was never used. */
export type NewCredentialRow = Omit<CredentialRow, 'lastUsedAt'>

/** The values of a credential by name of input. */
export type CredentialData = Record<string, string>

export type CredentialStore = {
  list(): Promise<CredentialRow[]>
  find(id: string): Promise<CredentialRow | undefined>
  /**
   * Decrypts the values of a credential, for a node that calls a provider.
   *
   * @param kinds the accepted kinds; any unless given
   * @throws SluiceError `credential_not_found`, `credential_wrong_kind`, `secret_unreadable`
   */
  open(id: string, kinds?: readonly string[]): Promise<CredentialData>
  /** Records that a node uses a credential now: at most one write per five minutes. A failed write is ignored. */
  noteUse(id: string, now: number): void
  insert(row: NewCredentialRow, data: CredentialData): Promise<void>
  /** Without `data` the stored values stay. */
  update(row: NewCredentialRow, data?: CredentialData): Promise<void>
  remove(id: string): Promise<boolean>
}
