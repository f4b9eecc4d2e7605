import { replySettings } from 'renown/reviews'
import { defineConnection } from 'renown/sources'
import { facebookConsent } from './consent'
import { facebookLocations } from './locations'
import { facebookSettings } from './settings'

/** Facebook's error 4 concerns the app. Its other limits concern one Page or person. */
const ofApp = new Set(['4', '429'])

/** Facebook Pages. Their tokens are not renewed. */
export const facebookConnection = defineConnection({
  provider: 'facebook',
  label: 'Facebook',
  order: 20,
  account: { one: 'Page', many: 'Pages' },
  consent: facebookConsent,
  tokenFile: { kind: 'access', called: 'a page token', accountId: "the Page's id" },
  locations: facebookLocations,
  limits(ctx) {
    const settings = facebookSettings.of(ctx)
    return [
      {
        address: settings.FACEBOOK_GRAPH_URL,
        client: `facebook:${settings.FACEBOOK_APP_ID}`,
        callsPerMinute: settings.FACEBOOK_CALLS_PER_MINUTE,
        keptForReplies: replySettings.of(ctx).CALLS_KEPT_FOR_REPLIES,
        isWide: ({ kind, code = '' }) => kind === 'rate' && ofApp.has(code),
      },
    ]
  },
})
