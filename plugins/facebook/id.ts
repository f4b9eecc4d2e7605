import type { PlatformId } from 'renown/records'

/** A Facebook Page. It is read with the account that connected it. */
export const facebookPageId: PlatformId = {
  name: 'facebook-page',
  order: 20,
  source: 'facebook',
  provider: 'facebook',
  field: 'facebook_page_id',
  label: 'Facebook Page',
  pattern: /^[\w.-]{1,100}$/,
  example: 'the id of a Page such as 777',
  isListing: true,
  demo: { listing: 'page', ids: (key) => ({ facebook_page_id: `demo-${key}` }) },
}
