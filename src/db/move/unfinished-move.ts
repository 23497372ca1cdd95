import type { SettingStore } from '../../contract/setting-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { maskAddress } from '../../kit/mask-address.ts'
import { MOVE } from './moved-tables.ts'

/** @throws SluiceError `move_unfinished` for a PostgreSQL database into which a move has not ended */
export async function refuseUnfinishedMove(settings: SettingStore, address: string): Promise<void> {
  if ((await settings.get(MOVE)) !== undefined)
    throw new SluiceError('move_unfinished', { place: maskAddress(address) })
}
