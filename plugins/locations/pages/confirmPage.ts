import { Refusal } from 'renown'
import { definePage, redirectTo } from 'renown/pages'
import { BusinessLocation } from 'renown/records'
import { addressOf, confirmPath } from '../addresses'
import { usedOf } from '../capacity'
import { confirmed, isOpen } from '../cards/confirmed'
import type { ConfirmData } from './confirm'

/** The page that confirms a change of a location's state. */
export const confirmPage = definePage<typeof BusinessLocation, ConfirmData>({
  path: confirmPath,
  title: 'Confirm',
  only: 'owner',
  module: new URL('./confirm.tsx', import.meta.url),
  isStatic: true,
  width: 'narrow',
  record: { entity: BusinessLocation, param: 'location' },
  titleOf: ({ title }) => title,
  async load(ctx, query, { row, mayChange }) {
    if (!mayChange) throw new Refusal('conflict', 'The demo cannot be changed.')
    const to = confirmed.find((each) => each === query.get('to'))
    if (!to || !isOpen[to](row)) return redirectTo(addressOf(row.id))
    const used = await usedOf(ctx)
    return { id: row.id, to, isFull: used?.isFull === true, title: titles[to](row.business_name) }
  },
})

const titles = {
  sign: (name: string) => `Sign ${name}?`,
  rest: (name: string) => `Pause ${name}?`,
  cancel: (name: string) => `Cancel the trial of ${name}?`,
}
