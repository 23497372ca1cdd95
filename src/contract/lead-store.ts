/** The contact details of a visitor of a chat. */
export type LeadRow = {
  id: string
  flowId: string
  chatId: string
  name: string | null
  email: string | null
  phone: string | null
  createdAt: number
}

export type LeadStore = {
  list(flowId: string): Promise<LeadRow[]>
  add(lead: LeadRow): Promise<void>
  /** Removes the leads of all flows that are older than a time, in ms since 1970. Resolves with how many they were. */
  removeBefore(time: number): Promise<number>
}
