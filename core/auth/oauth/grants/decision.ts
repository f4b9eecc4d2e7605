import type { Clock } from '../../../process/clock'
import type { Report } from '../audit-report'
import { type AuthorizationRequest, answerTo, type Requests, refuseTo } from '../authorize'
import type { Client } from '../clients/client'
import type { Clients } from '../clients/clients'
import { redirectHost } from '../clients/redirect-uri'
import type { Scope } from '../scopes'
import type { Codes } from './codes'
import { type Grants, grantRetentionMs } from './grants'

/** The person who decides. */
export interface Decider {
  readonly user_id: string
  readonly agency_id: string
}

/** What the person allows: never more than the app asked for. */
export interface Allowed {
  readonly scopes: readonly Scope[]
  /** Null: every workspace of the agency, including future ones. */
  readonly workspace_ids: readonly string[] | null
}

export interface Decision {
  /** Redirects the person to the app with a code. Null if the request was already decided or has expired. */
  allow(asked: AuthorizationRequest, client: Client, by: Decider, allowed: Allowed): Promise<Response | null>
  deny(asked: AuthorizationRequest, client: Client, by: Decider): Promise<Response | null>
}

export interface DecisionDeps {
  readonly requests: Requests
  readonly grants: Grants
  readonly codes: Codes
  readonly clients: Clients
  readonly clock: Clock
  readonly report: Report
}

/** Records a person's decision on the request of an app. Each request is decided only once. */
export function createDecision({ requests, grants, codes, clients, clock, report }: DecisionDeps): Decision {
  const about = (asked: AuthorizationRequest, client: Client, { user_id, agency_id }: Decider) => ({
    user_id,
    agency_id,
    host: asked.host,
    client_id: client.client_id,
    client_name: client.name,
  })
  return {
    async allow(asked, client, by, { scopes, workspace_ids }) {
      if (!(await requests.decide(asked.id))) return null
      const grant = await grants.begin({
        ...about(asked, client, by),
        is_verified: client.named_by !== undefined,
        app_host: client.named_by ?? redirectHost(asked.redirect_uri),
        scopes: asked.scopes.filter((scope): scope is Scope => scopes.some((one) => one === scope)),
        ...(workspace_ids === null ? {} : { workspace_ids: [...workspace_ids] }),
      })
      await clients.keep(client.client_id, new Date(clock.now().getTime() + grantRetentionMs))
      const { host, client_id, redirect_uri, code_challenge } = asked
      const code = await codes.mint({
        host,
        client_id,
        redirect_uri,
        code_challenge,
        grant_id: grant.id,
        workspace_id: by.agency_id,
      })
      await report(grant, 'app.consent')
      return answerTo(asked, code)
    },
    async deny(asked, client, by) {
      if (!(await requests.decide(asked.id))) return null
      await report(about(asked, client, by), 'app.deny', 'refused')
      return refuseTo(asked, 'access_denied', 'The owner denied access')
    },
  }
}
