/** @jsxImportSource ../../kit/jsx */

import { createConsents } from '../../../connections/consent/consents'
import { keepConnection } from '../../../connections/keep-connection'
import { providerContext } from '../../../connections/provider-context'
import type { AccountChoice, ConnectionDeclaration, OfferedAccount } from '../../../contracts/connection'
import { Refusal } from '../../../contracts/errors'
import { isServiceFault } from '../../../contracts/service-fault'
import { where } from '../../../contracts/where'
import { addressIn, baseOf } from '../../../kit/page-addresses'
import { Connection } from '../../../outbound/Connection'
import { declaredConnections } from '../../../registry/declared-connections'
import { asPerson } from '../../framework/done-by'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { Button, ButtonLink, Card, Checkbox, Fault, Form, Head, Notice, Row } from '../../kit/parts/kit'
import { choicePath, faultOf, notConnected } from './connect'
import { askerOf, connectionsPath } from './connection'
import { Name, type SettingsDeps } from './settings'

/** A provider whose consent leads to a choice of accounts. */
interface Chosen {
  readonly declared: ConnectionDeclaration
  readonly choice: AccountChoice
}

/** Chooses which of a person's accounts are connected. Two pages for each provider whose consent leads to a choice. */
export const choiceOfAccountsPages = (deps: SettingsDeps): Route[] =>
  [...declaredConnections(deps.owner).values()].flatMap((declared) => {
    const { choice } = declared.consent ?? {}
    return choice ? pagesOf(deps, { declared, choice }) : []
  })

function pagesOf(deps: SettingsDeps, chosen: Chosen): Route[] {
  const { provider, account } = chosen.declared
  const path = choicePath(chosen.declared)
  return [
    defineRoute({
      path,
      method: 'GET',
      auth: 'session',
      handle: (visit) =>
        choosing(deps, visit, chosen, visit.query.get('of') ?? '', (offer) =>
          show(deps, visit, chosen, offer),
        ),
    }),
    defineRoute({
      path,
      method: 'POST',
      auth: 'session',
      handle: (visit) =>
        choosing(deps, visit, chosen, visit.form.get('of'), async (offer) => {
          const wanted = new Set(visit.form.all(fieldOf(chosen.declared)))
          const picked = offer.accounts.filter(({ account_id }) => wanted.has(account_id))
          if (picked.length === 0)
            return show(deps, visit, chosen, offer, `Choose at least one ${account.one}.`)
          if (!(await createConsents(deps.owner).end(offer.consent)))
            throw new Refusal('malformed_request', 'The accounts were already chosen.')
          const { workspace_id } = offer.consent
          for (const { caution: _, ...one } of picked)
            await keepConnection(asPerson(deps.owner, visit), { ...one, workspace_id, provider })
          return visit.redirect(addressIn(baseOf(workspace_id), `${connectionsPath}?done=${provider}`))
        }),
    }),
  ]
}

const fieldOf = ({ account }: ConnectionDeclaration) => account.one.toLowerCase()

type Choosing = Awaited<ReturnType<ReturnType<typeof createConsents>['choosing']>>
type Offer = Choosing & { readonly accounts: readonly OfferedAccount[] }

/** Requests the accounts each time, because Renown keeps only the tokens of the chosen ones. */
async function choosing(
  { owner }: SettingsDeps,
  visit: SignedIn,
  { declared, choice }: Chosen,
  id: string,
  go: (offer: Offer) => Promise<Response>,
): Promise<Response> {
  const asked = await createConsents(owner).choosing(declared.provider, id, askerOf(visit))
  try {
    return await go({ ...asked, accounts: await choice.list(providerContext(owner), asked.userToken) })
  } catch (error) {
    if (!isServiceFault(error)) throw error
    return notConnected(visit, declared, faultOf(declared, error))
  }
}

async function show(
  { owner }: SettingsDeps,
  visit: SignedIn,
  { declared, choice }: Chosen,
  { consent, userToken, accounts }: Offer,
  fault?: string,
): Promise<Response> {
  const { provider, label, account } = declared
  if (accounts.length === 0) {
    return notConnected(visit, declared, {
      words: `${label} shows no ${account.one} of yours.`,
      hint: choice.emptyHint,
    })
  }
  const own = where.and(where.eq('workspace_id', consent.workspace_id), where.eq('provider', provider))
  const rows = await owner.rows(Connection).list({ where: own, limit: 1_000 })
  const known = new Set(rows.map(({ account_id }) => account_id))
  const declined = await choice.declined(providerContext(owner), userToken)
  const title = `Which ${account.many}?`
  const faultId = `${fieldOf(declared)}-error`
  return visit.page({
    title: fault === undefined ? title : `Error: ${title}`,
    status: fault === undefined ? 200 : 422,
    children: (
      <Card>
        <Head title={title}>Renown stores only the tokens of the ${account.many} that you choose.</Head>
        {declined === null && (
          <Notice tone="warn" title={`${label} did not say which permissions you granted`}>
            Reload this page to ask {label} again. Without {choice.permissions.join(', ')} {label} does not
            allow Renown to read and answer reviews.
          </Notice>
        )}
        {declined !== null && declined.length > 0 && (
          <Notice tone="warn" title="You did not grant all permissions that Renown needs">
            {label} does not allow Renown to read or answer reviews without {declined.join(', ')}. Begin again
            to give it.
          </Notice>
        )}
        <Form
          action={choicePath(declared)}
          csrf={visit.csrf}
          hidden={{ of: consent.id }}
          label={account.many}
        >
          <fieldset>
            <legend>{`${account.many} that you manage`}</legend>
            {fault && <Fault id={faultId}>{fault}</Fault>}
            {accounts.map(({ account_id: id, account_name: name = id, caution }) => (
              <Checkbox
                key={id}
                name={fieldOf(declared)}
                value={id}
                label={<Name>{name}</Name>}
                hint={[known.has(id) ? 'Already connected. It gets a new token.' : id, caution]
                  .filter(Boolean)
                  .join(' ')}
                checked={fault === undefined && (known.has(id) || accounts.length === 1)}
                faultId={fault && faultId}
              />
            ))}
          </fieldset>
          <Row>
            <Button>Connect them</Button>
            <ButtonLink href={connectionsPath} kind="quiet">
              Cancel
            </ButtonLink>
          </Row>
        </Form>
      </Card>
    ),
  })
}
