/** What a million tokens of a model cost. */
export type ModelPrice = { model: string; amount: number; currency: string }

/** Reads `text-embedding-3-small=0.02 USD`; without a currency it is USD. @throws Error for any other text */
export function readModelPrice(text: string): ModelPrice {
  const [, model, amount, currency = 'USD'] = /^(\S+)=(\d+(?:\.\d+)?)(?: ([A-Z]{3}))?$/.exec(text) ?? []
  if (model !== undefined) return { model, amount: Number(amount), currency }
  throw new Error(
    `expected MODEL=AMOUNT CURRENCY, such as text-embedding-3-small=0.02 USD, received ${JSON.stringify(text)}`,
  )
}
