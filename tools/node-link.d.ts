import type { PlatformPath } from 'node:path'

type Checkout = { root: string; programs: string }

export function programIn(folder: string, platform: NodeJS.Platform, paths?: PlatformPath): string
export function isWithin(folder: string, place: string, paths?: PlatformPath): boolean
export function linkTo(node: string, checkout: Checkout, paths?: PlatformPath): string
export function batchTo(node: string, checkout: Checkout, paths?: PlatformPath): string
