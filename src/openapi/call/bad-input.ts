/** The model's input does not make a request; the message is for the model. */
export class BadInput extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'BadInput'
  }
}
