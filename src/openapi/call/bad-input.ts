/** The model's input cannot become a request; the message is for the model. */
export class BadInput extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'BadInput'
  }
}
