/** A page of a list: `page` from 1. */
export type Page = { page: number; limit: number }

export const toRange = ({ page, limit }: Page): { offset: number; limit: number } => ({
  offset: (page - 1) * limit,
  limit,
})
