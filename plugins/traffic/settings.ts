import { defineSettings, setting } from 'renown'
import { fetchRefusal } from 'renown/sources'
import { isRegistryKey } from 'renown/traffic'
import * as v from 'valibot'

const mirror = v.pipe(
  v.string(),
  v.check(
    (text) => text === '' || (text.startsWith('https://') && fetchRefusal(text) === null),
    'an https address on the public internet',
  ),
)
const keys = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
  v.check((all) => all.every(isRegistryKey), 'public keys as `bun renown registry key create` prints them'),
)

/** Settings of the registry of agents. */
export const trafficSettings = defineSettings({
  RENOWN_REGISTRY_URL: setting(
    mirror,
    '',
    'Address of a signed registry of AI agents on a mirror. Renown fetches it every six hours. If empty, it uses the registry of its release.',
  ),
  RENOWN_REGISTRY_KEYS: setting(
    keys,
    '',
    'Comma-separated public keys of the mirror, as `bun renown registry key create` prints them. Required with RENOWN_REGISTRY_URL.',
  ),
})
