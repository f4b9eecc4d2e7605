import { describe, expect, test } from 'bun:test'
import type { PlatformId } from '../../../core/contracts/platform-id'
import { typedIds } from '../../../core/kit/platform-ids'
import { platformIdsInTheBox } from '../../support/platforms'

const ctxWith = (ids: readonly PlatformId[]) => ({ extensions: () => ids as never })
const shopId: PlatformId = {
  name: 'guild',
  order: 50,
  source: 'guild',
  label: 'Shop',
  pattern: /^\d+$/,
  example: 'a shop such as 12',
  isListing: false,
}

describe('the inputs for ids in forms', () => {
  test('are those that a plugin asks for', () => {
    expect(typedIds(ctxWith([]))).toEqual([])
    const shown = typedIds(ctxWith(platformIdsInTheBox))
    expect(shown.map(({ field }) => field)).toEqual(['google_place_id'])
    expect(shown[0]).toMatchObject({
      label: 'Google place id',
      finder: { label: "Google's Place ID Finder" },
    })
  })

  test('come in the order of the ids, and need a field of their own', () => {
    const typed = { hint: 'It is printed on the receipt.' }
    const page: PlatformId = { ...shopId, name: 'page', order: 10, field: 'facebook_page_id', typed }
    const place: PlatformId = { ...shopId, name: 'place', order: 20, field: 'google_place_id', typed }
    const ids = [place, { ...shopId, typed }, page]
    expect(typedIds(ctxWith(ids)).map(({ field }) => field)).toEqual(['facebook_page_id', 'google_place_id'])
  })
})
