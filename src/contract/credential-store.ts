/** A credential without its secrets. */
export type CredentialRow = {
  id: string
  name: string
  /** The kind, which determines the inputs: `openAIApi`, `googleGenerativeAI`… */
  kind: string
  createdAt: number
  updatedAt: number
}

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
  insert(row: CredentialRow, data: CredentialData): Promise<void>
  /** Without `data` the stored values stay. */
  update(row: CredentialRow, data?: CredentialData): Promise<void>
  remove(id: string): Promise<boolean>
}
