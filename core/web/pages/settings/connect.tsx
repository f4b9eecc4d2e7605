/** @jsxImportSource ../../kit/jsx */

import { callbackPath, createConsents } from '../../../connections/consent/consents'
import { keepConnection } from '../../../connections/keep-connection'
import { providerContext } from '../../../connections/provider-context'
import {
  type ConnectFailure,
  type ConnectionDeclaration,
  type ConsentDeclaration,
  missingSettings,
} from '../../../contracts/connection'
import { isServiceFault, type ServiceFault } from '../../../contracts/service-fault'
import { addressIn, baseOf } from '../../../kit/page-addresses'
import { declaredConnections } from '../../../registry/declared-connections'
import { asPerson } from '../../framework/done-by'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { ButtonLink, Card, Head, Notice, Row } from '../../kit/parts/kit'
import { askerOf, ownWorkspace, connectionsPath as path } from './connection'
import { RedirectAddress } from './connections'
import type { SettingsDeps } from './settings'

/**
 * Redirects a person to a provider's page, and accepts its answer. There are two pages for each provider with
 * a consent.
 */
export const connectPages = (deps: SettingsDeps): Route[] =>
  [...declaredConnections(deps.owner).values()].flatMap((declared) =>
    declared.consent ? pagesOf(deps, declared, declared.consent) : [],
  )

function pagesOf(deps: SettingsDeps, declared: ConnectionDeclaration, consent: ConsentDeclaration): Route[] {
  const { owner } = deps
  const { provider } = declared
  return [
    defineRoute({
      path: `${path}/${provider}`,
      method: 'POST',
      auth: 'recent',
      back: path,
      async handle(visit) {
        if (missingSettings(consent, owner.settings).length > 0) return visit.redirect(`${path}#${provider}`)
        const workspace = await ownWorkspace(deps, visit, visit.form.get('of'))
        const begun = await createConsents(owner).begin(provider, workspace.id, askerOf(visit))
        return visit.redirect(consent.address(providerContext(owner), begun))
      },
    }),
    defineRoute({
      path: `${path}/${provider}/callback`,
      method: 'GET',
      auth: 'session',
      handle: (visit) =>
        answered(deps, visit, declared, async ({ consent: begun, verifier }, code) => {
          const redirectUri = `${begun.host}${callbackPath(provider)}`
          const given = await consent.exchange(providerContext(owner), { code, verifier, redirectUri })
          if ('userToken' in given) {
            await createConsents(owner).choose(begun, given.userToken)
            return `${choicePath(declared)}?of=${begun.id}`
          }
          const { workspace_id } = begun
          for (const account of given.accounts)
            await keepConnection(asPerson(owner, visit), { ...account, workspace_id, provider })
          return addressIn(baseOf(workspace_id), `${path}?done=${provider}`)
        }),
    }),
  ]
}

/** Path of the page where people choose accounts of a consent, such as `…/pages`. */
export const choicePath = ({ provider, account }: ConnectionDeclaration) =>
  `${path}/${provider}/${account.many.toLowerCase()}`

type Taken = Awaited<ReturnType<ReturnType<typeof createConsents>['take']>>
const codeMax = 4_096

/** Accepts a service's answer and redirects. The Connections page shows an error. */
async function answered(
  { owner }: SettingsDeps,
  visit: SignedIn,
  declared: ConnectionDeclaration,
  goOn: (taken: Taken, code: string) => Promise<string>,
): Promise<Response> {
  const { query } = visit
  const taken = await createConsents(owner).take(declared.provider, query.get('state') ?? '', askerOf(visit))
  const error = query.get('error')
  if (error !== null) return notConnected(visit, declared, refusedBy(declared, error))
  const code = query.get('code') ?? ''
  if (code === '' || code.length > codeMax)
    return notConnected(visit, declared, { words: `${declared.label} answered without a code.` })
  try {
    return visit.redirect(await goOn(taken, code))
  } catch (fault) {
    if (!isServiceFault(fault)) throw fault
    return notConnected(visit, declared, faultOf(declared, fault))
  }
}

/** A failure, and what to do. */
interface Failure extends ConnectFailure {
  readonly words: string
}

export const notConnected = (
  visit: SignedIn,
  declared: ConnectionDeclaration,
  { words, hint, isAddress }: Failure,
) =>
  visit.page({
    title: `Error: ${declared.label} was not connected`,
    status: 422,
    copies: true,
    children: (
      <Card>
        <Head title={`${declared.label} was not connected`} />
        <Notice tone="bad">{words}</Notice>
        {hint && <p>{hint}</p>}
        {isAddress && <RedirectAddress declared={declared} origin={visit.host.origin} />}
        <Row>
          <ButtonLink href={path} kind="primary">
            Back to connections
          </ButtonLink>
        </Row>
      </Card>
    ),
  })

/** Errors of OAuth itself (RFC 6749), by code. */
const ofOAuth: Readonly<Record<string, ConnectFailure>> = {
  access_denied: { words: 'You did not grant access, so nothing was connected.' },
  redirect_uri_mismatch: {
    words: 'The redirect address is not registered with the service.',
    isAddress: true,
  },
}

/** Returns the texts for a code, or for a kind of fault. */
function failureOf(declared: ConnectionDeclaration | undefined, code: string): ConnectFailure | undefined {
  const own = declared?.consent?.failures ?? {}
  if (Object.hasOwn(own, code)) return own[code]
  return Object.hasOwn(ofOAuth, code) ? ofOAuth[code] : undefined
}

/** Returns the error for a code in the address. Only the code is used, because anybody can write the rest. */
function refusedBy(declared: ConnectionDeclaration, error: string): Failure {
  const { words, ...known } = failureOf(declared, error) ?? {}
  if (words !== undefined) return { words, ...known }
  const name = /^[\w.-]{1,60}$/.test(error) ? `: ${error}` : '.'
  return { words: `${declared.label} answered with an error${name}` }
}

/** Returns the error of a service as texts for people. */
export function faultOf(
  declared: ConnectionDeclaration | undefined,
  { kind, code = '', message }: ServiceFault,
): Failure {
  const { hint, isAddress = false } = failureOf(declared, code) ?? {}
  const ofKind = failureOf(declared, kind)?.hint ?? hints[kind]
  const known = hint ?? ofKind
  return {
    words: `${message}.`.replace(/([.!?])\.$/, '$1'),
    ...(known === undefined ? {} : { hint: known }),
    isAddress,
  }
}

const hints: Partial<Readonly<Record<ServiceFault['kind'], string>>> = {
  rate: 'Try again in a minute.',
  transient: 'This is often temporary. Try again in a minute.',
  permission:
    'Check that the account may manage the profiles, and that the APIs are enabled in the project or app of the settings.',
}
