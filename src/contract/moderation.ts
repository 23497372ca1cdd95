/** Looks at a question before a model answers it. */
export type Moderation = {
  /**
   * The text that the user gets in place of an answer; undefined where the question may be answered.
   *
   * @throws SluiceError if that cannot be known: then the question is not answered
   */
  refusal(question: string, signal: AbortSignal): Promise<string | undefined>
}
