/** @jsxImportSource ../jsx */

import { createConsents } from '../../connections/consent/consents'
import { connectPages, facebookPermissions } from '../../connections/consent/facebook'
import { facebookDeclined, facebookPages, type ManagedPage } from '../../connections/listing/facebook-pages'
import { Refusal } from '../../contracts/errors'
import { isServiceFault } from '../../contracts/service-fault'
import { where } from '../../contracts/where'
import { Connection } from '../../outbound/Connection'
import { definePage, type Page, type SignedIn } from '../define-page'
import { Button, ButtonLink, Card, Checkbox, Fault, Form, Head, Notice, Row } from '../kit'
import { asPerson } from '../parts/done-by'
import { faultOf, notConnected } from './connect'
import { askerOf, connectionsPath } from './connection'
import { Name, type SettingsDeps } from './settings'

const path = `${connectionsPath}/facebook/pages`
const faultId = 'page-error'

/** Which of a person's Pages are connected. */
export const facebookPagesPages = (deps: SettingsDeps): Page[] => [
  definePage({
    path,
    method: 'GET',
    auth: 'session',
    handle: (visit) =>
      choosing(deps, visit, visit.query.get('of') ?? '', (choice) => show(deps, visit, choice)),
  }),
  definePage({
    path,
    method: 'POST',
    auth: 'session',
    handle: (visit) =>
      choosing(deps, visit, visit.form.get('of'), async (choice) => {
        const wanted = new Set(visit.form.all('page'))
        const chosen = choice.pages.filter(({ id }) => wanted.has(id))
        if (chosen.length === 0) return show(deps, visit, choice, 'Choose at least one Page.')
        if (!(await createConsents(deps.owner).end(choice.consent)))
          throw new Refusal('malformed_request', 'The choice was made already.')
        await connectPages(asPerson(deps.owner, visit), choice.consent, chosen)
        return visit.redirect(`${connectionsPath}?workspace=${choice.consent.workspace_id}&done=facebook`)
      }),
  }),
]

type Choosing = Awaited<ReturnType<ReturnType<typeof createConsents>['choosing']>>
type Choice = Choosing & { readonly pages: readonly ManagedPage[] }

/** The Pages are asked for each time: their tokens are kept of those alone that are chosen. */
async function choosing(
  { owner }: SettingsDeps,
  visit: SignedIn,
  id: string,
  go: (choice: Choice) => Promise<Response>,
): Promise<Response> {
  const asked = await createConsents(owner).choosing('facebook', id, askerOf(visit))
  try {
    return await go({ ...asked, pages: await facebookPages(owner, asked.userToken) })
  } catch (error) {
    if (!isServiceFault(error)) throw error
    return notConnected(visit, 'facebook', faultOf(error))
  }
}

async function show(
  { owner }: SettingsDeps,
  visit: SignedIn,
  { consent, userToken, pages }: Choice,
  fault?: string,
): Promise<Response> {
  if (pages.length === 0) {
    return notConnected(visit, 'facebook', {
      words: 'Facebook shows no Page of yours.',
      hint: 'Begin again, and choose the Pages on the page of Facebook; you need a role on them.',
    })
  }
  const own = where.and(where.eq('workspace_id', consent.workspace_id), where.eq('provider', 'facebook'))
  const rows = await owner.rows(Connection).list({ where: own, limit: 1_000 })
  const known = new Set(rows.map(({ account_id }) => account_id))
  const declined = await facebookDeclined(owner, userToken, facebookPermissions)
  return visit.page({
    title: fault === undefined ? 'Which Pages?' : 'Error: Which Pages?',
    status: fault === undefined ? 200 : 422,
    children: (
      <Card>
        <Head title="Which Pages?">Renown keeps the tokens of those alone that you choose.</Head>
        {declined === null && (
          <Notice tone="warn" title="Facebook did not say which permissions you granted">
            Reload this page to ask Facebook again. Without {facebookPermissions.join(', ')} Facebook will
            refuse to let reviews be read or answered.
          </Notice>
        )}
        {declined !== null && declined.length > 0 && (
          <Notice tone="warn" title="You did not give Renown all the leave that it needs">
            Facebook will refuse to let reviews be read or answered without {declined.join(', ')}. Begin again
            to give it.
          </Notice>
        )}
        <Form action={path} csrf={visit.csrf} hidden={{ of: consent.id }} label="Pages">
          <fieldset>
            <legend>Pages that you manage</legend>
            {fault && <Fault id={faultId}>{fault}</Fault>}
            {pages.map(({ id, name, caution }) => (
              <Checkbox
                key={id}
                name="page"
                value={id}
                label={<Name>{name}</Name>}
                hint={[known.has(id) ? 'Connected already: it gets a new token.' : id, caution]
                  .filter(Boolean)
                  .join(' ')}
                checked={fault === undefined && (known.has(id) || pages.length === 1)}
                faultId={fault && faultId}
              />
            ))}
          </fieldset>
          <Row>
            <Button>Connect them</Button>
            <ButtonLink href={connectionsPath} kind="quiet">
              Rather not
            </ButtonLink>
          </Row>
        </Form>
      </Card>
    ),
  })
}
