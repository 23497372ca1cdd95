/** A credential without its secrets. */
export type CredentialRow = {
  id: string
  name: string
  /** Which inputs it has: `openAIApi`, `googleGenerativeAI`… */
  kind: string
  createdAt: number
  updatedAt: number
}

/** By the names of its inputs. */
export type CredentialData = Record<string, string>

export type CredentialStore = {
  list(): Promise<CredentialRow[]>
  find(id: string): Promise<CredentialRow | undefined>
  /**
   * The secrets themselves, for a node that calls a provider.
   *
   * @param kinds those that fit; any unless given
   * @throws SluiceError `credential_not_found`, `credential_wrong_kind`, `secret_unreadable`
   */
  open(id: string, kinds?: readonly string[]): Promise<CredentialData>
  insert(row: CredentialRow, data: CredentialData): Promise<void>
  /** Without data the old one stays. */
  update(row: CredentialRow, data?: CredentialData): Promise<void>
  remove(id: string): Promise<boolean>
}
