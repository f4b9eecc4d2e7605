/** @jsxImportSource ../jsx */

import { createConsents, type Provider } from '../../connections/consent/consents'
import { facebookUserToken } from '../../connections/consent/facebook'
import { connectGoogle } from '../../connections/consent/google'
import { consentUrl, missingSettings } from '../../connections/consent/services'
import { isServiceFault, type ServiceFault } from '../../contracts/service-fault'
import { serviceNames } from '../../outbound/connections'
import { definePage, type Page, type SignedIn } from '../define-page'
import { ButtonLink, Card, Head, Notice, Row } from '../kit'
import { asPerson } from '../parts/done-by'
import { askerOf, ownWorkspace, connectionsPath as path } from './connection'
import { RedirectAddress } from './connections'
import type { SettingsDeps } from './settings'

/** A person is sent to a service's page, and comes back with its answer. */
export const connectPages = (deps: SettingsDeps): Page[] => [
  ...(['google', 'facebook'] as const).map((provider) =>
    definePage({
      path: `${path}/${provider}`,
      method: 'POST',
      auth: 'recent',
      back: path,
      async handle(visit) {
        const { owner } = deps
        if (missingSettings(owner.settings, provider).length > 0) return visit.redirect(`${path}#${provider}`)
        const workspace = await ownWorkspace(deps, visit, visit.form.get('of'))
        const begun = await createConsents(owner).begin(provider, workspace.id, askerOf(visit))
        return visit.redirect(consentUrl(owner.settings, provider, begun))
      },
    }),
  ),
  definePage({
    path: `${path}/google/callback`,
    method: 'GET',
    auth: 'session',
    handle: (visit) =>
      answered(deps, visit, 'google', async (taken, code) => {
        await connectGoogle(asPerson(deps.owner, visit), taken, code)
        return `${path}?workspace=${taken.consent.workspace_id}&done=google`
      }),
  }),
  definePage({
    path: `${path}/facebook/callback`,
    method: 'GET',
    auth: 'session',
    handle: (visit) =>
      answered(deps, visit, 'facebook', async ({ consent }, code) => {
        const token = await facebookUserToken(deps.owner, consent, code)
        await createConsents(deps.owner).choose(consent, token)
        return `${path}/facebook/pages?of=${consent.id}`
      }),
  }),
]

type Taken = Awaited<ReturnType<ReturnType<typeof createConsents>['take']>>
const codeMax = 4_096

/** Takes a service's answer, whatever it is, and leads on; what went wrong is said where the person is. */
async function answered(
  { owner }: SettingsDeps,
  visit: SignedIn,
  provider: Provider,
  goOn: (taken: Taken, code: string) => Promise<string>,
): Promise<Response> {
  const { query } = visit
  const taken = await createConsents(owner).take(provider, query.get('state') ?? '', askerOf(visit))
  const error = query.get('error')
  if (error !== null) return notConnected(visit, provider, refusedBy(provider, error))
  const code = query.get('code') ?? ''
  if (code === '' || code.length > codeMax)
    return notConnected(visit, provider, { words: `${serviceNames[provider]} answered without a code.` })
  try {
    return visit.redirect(await goOn(taken, code))
  } catch (fault) {
    if (!isServiceFault(fault)) throw fault
    return notConnected(visit, provider, faultOf(fault))
  }
}

/** What went wrong, and what helps. */
export interface Failure {
  readonly words: string
  readonly hint?: string | undefined
  /** The redirect address is what has to be set right. */
  readonly isAddress?: boolean
}

export const notConnected = (visit: SignedIn, provider: Provider, { words, hint, isAddress }: Failure) =>
  visit.page({
    title: `Error: ${serviceNames[provider]} was not connected`,
    status: 422,
    copies: true,
    children: (
      <Card>
        <Head title={`${serviceNames[provider]} was not connected`} />
        <Notice tone="bad">{words}</Notice>
        {hint && <p>{hint}</p>}
        {isAddress && <RedirectAddress provider={provider} origin={visit.host.origin} />}
        <Row>
          <ButtonLink href={path} kind="primary">
            Back to the connections
          </ButtonLink>
        </Row>
      </Card>
    ),
  })

const told: Readonly<Record<string, Omit<Failure, 'words'> & { readonly words: string }>> = {
  access_denied: { words: 'You did not let Renown in, so nothing was connected.' },
  redirect_uri_mismatch: {
    words: 'The address that you are to be sent back to is not registered there.',
    isAddress: true,
  },
  admin_policy_enforced: {
    words: 'The administrator of that account does not let Renown in.',
    hint: 'Ask them to trust the OAuth client of this installation, or take another account.',
  },
  org_internal: {
    words: 'The OAuth client is for accounts of its own organisation alone.',
    hint: 'In the project at Google, make the consent screen external.',
  },
  scope_missing: { words: '', hint: 'Begin again, and leave the box for business profiles ticked.' },
  no_refresh_token: {
    words: '',
    hint: 'Take away the access that Renown has under the security settings of the account, then begin again.',
  },
}

/** An error that stands in the address: its code alone is believed, since anybody can write the rest. */
function refusedBy(provider: Provider, error: string): Failure {
  const known = Object.hasOwn(told, error) ? told[error] : undefined
  if (known && known.words !== '') return known
  const name = /^[\w.-]{1,60}$/.test(error) ? `: ${error}` : '.'
  return { words: `${serviceNames[provider]} answered with an error${name}` }
}

/** What a service refused when it was asked by us. */
export function faultOf({ kind, code = '', message }: ServiceFault): Failure {
  const { hint, isAddress = false } = (Object.hasOwn(told, code) && told[code]) || {}
  return { words: `${message}.`.replace(/([.!?])\.$/, '$1'), hint: hint ?? hints[kind], isAddress }
}

const hints: Partial<Readonly<Record<ServiceFault['kind'], string>>> = {
  rate: 'Google gives a new project no calls at all until it has granted it access to the Business Profile APIs. Otherwise try again in a minute.',
  transient: 'This often passes: try again in a minute.',
  permission:
    'See whether the account may manage the profiles, and whether the APIs are enabled in the project or app that the settings name.',
}
