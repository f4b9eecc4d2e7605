import { replySettings } from 'renown/reviews'
import { defineConnection } from 'renown/sources'
import { googleConsent } from './consent'
import { googleLocations } from './locations'
import { googleSettings } from './settings'
import { renewGoogle } from './token'

/** Google accounts of business profiles. */
export const googleConnection = defineConnection({
  provider: 'google',
  label: 'Google',
  order: 10,
  account: { one: 'Account', many: 'Accounts' },
  consent: googleConsent,
  tokenFile: {
    kind: 'refresh',
    called: 'a refresh token',
    accountId: 'accounts/<number>',
    refusal: (accountId) =>
      /(^|\/)-$/.test(accountId)
        ? 'accounts/- means every account. Name one, such as accounts/111.'
        : undefined,
  },
  renew: renewGoogle,
  locations: googleLocations,
  addedVia: 'gbp_oauth',
  limits(ctx) {
    const settings = googleSettings.of(ctx)
    return [
      {
        address: settings.GOOGLE_REVIEWS_URL,
        client: `google:${settings.GOOGLE_CLIENT_ID}`,
        callsPerMinute: settings.GOOGLE_CALLS_PER_MINUTE,
        keptForReplies: replySettings.of(ctx).CALLS_KEPT_FOR_REPLIES,
        edits: {
          perMinute: settings.GOOGLE_EDITS_PER_MINUTE,
          accountOf: (url) => /\/(accounts\/[^/]+\/locations\/[^/?]+)/.exec(url)?.[1],
        },
        isWide: ({ kind }) => kind === 'rate',
      },
    ]
  },
})
