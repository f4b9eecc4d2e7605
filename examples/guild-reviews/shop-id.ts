import type { PlatformId } from 'renown/records'

/** The Guild's id of a shop. Renown stores it as `guild:<id>` and adds each shop of a member once. */
export const guildShopId: PlatformId = {
  name: 'guild',
  order: 50,
  source: 'guild',
  provider: 'guild',
  label: 'Shop at the Guild',
  pattern: /^shop-\d{1,9}$/,
  example: 'a shop such as shop-12',
  isListing: true,
}
