/** @jsxImportSource ../jsx */
import { runCommand } from '../../admin'
import type { Row as RowOf } from '../../contracts/entity'
import { isRefusal } from '../../contracts/errors'
import { where } from '../../contracts/where'
import { BusinessLocation } from '../../tenancy/BusinessLocation'
import { definePage, type Page, type SignedIn } from '../define-page'
import { Badge, Button, Card, Field, Form, Head, Row, Table } from '../kit'
import { noPlace } from '../no-place'
import type { NamesDeps } from '../start/names'

const path = '/app/locations'
const shownMax = 200

interface Typed {
  readonly name: string
  readonly website: string
  readonly faults: Readonly<Record<string, string>>
}

const nothing: Typed = { name: '', website: '', faults: {} }

/** The businesses of the workspace, and a form for one more. */
export const locationPages = (deps: NamesDeps): Page[] => [
  definePage({
    path,
    method: 'GET',
    nav: 'Locations',
    navOrder: 80,
    auth: 'session',
    handle: (visit) => show(deps, visit, nothing),
  }),
  definePage({
    path,
    method: 'POST',
    auth: 'session',
    async handle(visit) {
      if (!visit.place || !mayAdd(visit)) return visit.redirect(path)
      const [name, website] = [visit.form.get('name'), visit.form.get('website')]
      const input = {
        business_name: name,
        workspace_id: visit.place.id,
        ...(website.trim() === '' ? {} : { website }),
      }
      try {
        await runCommand(deps, 'location create', input)
      } catch (error) {
        if (!isRefusal(error)) throw error
        const pointers = (error.details.errors ?? []).map(({ pointer }) => pointer)
        const faults = {
          ...(pointers.includes('/business_name') ? { name: 'Give a name of at most 300 characters.' } : {}),
          ...(pointers.includes('/website')
            ? { website: 'Give an address such as https://example.com.' }
            : {}),
        }
        return show(deps, visit, { name, website, faults })
      }
      return visit.redirect(path)
    },
  }),
]

/** A demo stays as it was made, and members look at what owners have set up. */
const mayAdd = ({ place, person }: SignedIn) => place?.is_demo === false && person.role === 'owner'

async function show(
  { owner }: NamesDeps,
  visit: SignedIn,
  { name, website, faults }: Typed,
): Promise<Response> {
  const { place, page, csrf } = visit
  if (!place) return noPlace(visit)
  const inside = where.and(where.eq('workspace_id', place.id), where.eq('is_prospect', false))
  const byName = [{ field: 'business_name', direction: 'asc' }] as const
  const rows = await owner.rows(BusinessLocation).list({ where: inside, sort: byName, limit: shownMax })
  const isFaulty = Object.keys(faults).length > 0
  return page({
    title: isFaulty ? 'Error: Business locations' : 'Business locations',
    status: isFaulty ? 422 : 200,
    width: 'wide',
    children: (
      <>
        <Head title="Business locations">What reviews, leads, websites and reports belong to.</Head>
        <Card>
          <Table
            label="Business locations"
            columns={['Name', 'Place', 'Website', 'Rating', 'State']}
            rows={rows.map(cells)}
            empty="There is none yet. Add the first one below."
          />
          {rows.length === shownMax && <p class="hint">{`The first ${shownMax} by name.`}</p>}
        </Card>
        {mayAdd(visit) && (
          <Card title="Add a location">
            <Form action={path} csrf={csrf} label="Add a location">
              <Field
                name="name"
                label="Name"
                value={name}
                error={faults.name}
                autocomplete="off"
                maxlength={300}
              />
              <Field
                name="website"
                label="Website"
                value={website}
                error={faults.website}
                inputmode="url"
                placeholder="example.com"
                autocomplete="off"
                optional
              />
              <Row>
                <Button>Add the location</Button>
              </Row>
            </Form>
          </Card>
        )}
      </>
    ),
  })
}

const cells = (row: RowOf<typeof BusinessLocation>) => [
  <bdi key="name">{row.business_name}</bdi>,
  [row.city, row.country].filter(Boolean).join(', ') || '–',
  row.website ? <span key="site">{row.website.replace(/^https?:\/\//, '')}</span> : '–',
  row.average_rating === undefined || row.average_rating === null
    ? 'no reviews yet'
    : `${row.average_rating.toFixed(1)} of 5`,
  row.is_active ? (
    <Badge key="state" tone="good">
      active
    </Badge>
  ) : (
    <Badge key="state">at rest</Badge>
  ),
]
