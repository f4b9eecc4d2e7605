import type { SettingName, Settings } from '../../contracts/settings'
import type { Begun, Provider } from './consents'
import { facebookConsentUrl } from './facebook'
import { googleConsentUrl } from './google'

const needed = {
  google: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  facebook: ['FACEBOOK_APP_ID', 'FACEBOOK_APP_SECRET'],
} as const satisfies Record<Provider, readonly SettingName[]>

/** What is to be set before anybody can be sent to the service's page. */
export const missingSettings = (settings: Settings, provider: Provider): SettingName[] =>
  needed[provider].filter((name) => settings[name] === '')

/** The service's page for a consent that begins. */
export const consentUrl = (settings: Settings, provider: Provider, begun: Begun): string =>
  provider === 'google' ? googleConsentUrl(settings, begun) : facebookConsentUrl(settings, begun)
