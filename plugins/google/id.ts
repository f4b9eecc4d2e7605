import type { PlatformId } from 'renown/records'

const last = (id: string) => id.split('/').at(-1) ?? id

/** The listing of a business profile, in the account that manages it. */
export const googleListingId: PlatformId = {
  name: 'google-listing',
  order: 10,
  source: 'google',
  provider: 'google',
  field: 'google_location_id',
  label: 'Google listing',
  pattern: /^((accounts\/[\w-]{1,100}\/)?locations\/)?[\w-]{1,100}$/,
  example: 'a location such as locations/222',
  isListing: true,
  added: { via: 'gbp_oauth', from: 'a connected Google account' },
  parts: [
    {
      field: 'google_account_id',
      label: 'Google account',
      pattern: /^(accounts\/)?[\w-]{1,100}$/,
      example: 'an account such as accounts/111',
      isRequired: true,
      normal: (account, id = '') =>
        account === undefined ? /^(accounts\/[^/]+)\/locations\//.exec(id)?.[1] : `accounts/${last(account)}`,
    },
    {
      field: 'google_place_id',
      label: 'Google place id',
      pattern: /^[\w-]{1,300}$/,
      example: 'a place id such as ChIJN1t_tDeuEmsRUsoyG83frY4',
      isRequired: false,
    },
  ],
  keyOf: last,
  storedAs: (key) => [`locations/${key}`, key],
  isConnected: ({ added_via, google_account_id }) =>
    added_via === 'gbp_oauth' && google_account_id !== undefined,
  demo: {
    listing: 'map',
    ids: (key) => ({
      google_place_id: `ChIJ-demo-${key}`,
      google_account_id: 'accounts/demo',
      google_location_id: `locations/${key}`,
    }),
  },
}
