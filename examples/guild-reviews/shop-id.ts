import type { PlatformId } from 'renown/records'

/** The Guild's id of a shop, behind the member that it belongs to. Renown stores it as `guild:<id>`. */
export const guildShopId: PlatformId = {
  name: 'guild',
  order: 50,
  source: 'guild',
  provider: 'guild',
  label: 'Shop at the Guild',
  pattern: /^member-\d{1,9}\/shop-\d{1,9}$/,
  example: 'a shop such as member-7/shop-12',
  isListing: true,
}
