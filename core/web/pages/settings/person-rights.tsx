/** @jsxImportSource ../../kit/jsx */

import { isRefusal, Refusal } from '../../../contracts/errors'
import { where } from '../../../contracts/where'
import { dayIn } from '../../../kit'
import { Agency } from '../../../tenancy/Agency'
import { PersonRequest, type PersonRequestRow } from '../../../tenancy/rights/PersonRequest'
import { personRightsOf } from '../../../transfer/person'
import { notReached, personActs, shownMax } from '../../../transfer/person/acts'
import { type FoundRow, foundRows, type PersonExport, readableExport } from '../../../transfer/person/shown'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { Button, Card, Checkbox, Field, Form, Head, Moment, Notice, Row, Table } from '../../kit/parts/kit'
import type { SettingsDeps } from './settings'

/** The page for the rights of people. */
export const personRightsPath = '/app/people-rights'
const exportPath = `${personRightsPath}/export`
const erasePath = `${personRightsPath}/erase`

const fields = [
  ['email', 'E-mail addresses', 'Separate several by commas.'],
  [
    'name',
    'Full names',
    'A name alone also finds other people with this name. You can exclude their records.',
  ],
  ['profile', 'Addresses of profiles', 'Such as https://social.example/anna.'],
  ['handle', 'Names on platforms', 'Such as @anna_m.'],
  ['phone', 'Telephone numbers', 'With or without the country code.'],
] as const

/** Finds one person in the agency's data, exports and erases them. */
export const personRightsPages = (deps: SettingsDeps): Route[] => [
  defineRoute({
    path: personRightsPath,
    method: 'GET',
    auth: 'session',
    handle: async (visit) => {
      const id = visit.query.get('request')
      return id === null ? start(deps, visit) : show(deps, visit, await requestOf(deps, visit, id))
    },
  }),
  defineRoute({
    path: personRightsPath,
    method: 'POST',
    auth: 'recent',
    handle: (visit) => search(deps, visit),
  }),
  defineRoute({
    path: exportPath,
    method: 'POST',
    auth: 'recent',
    back: personRightsPath,
    async handle(visit) {
      const row = await requestOf(deps, visit, visit.form.get('of'))
      const { answer } = await personActs.export.perform(ownerOf(deps, visit), { row, input: {} })
      return download(deps, answer.person as PersonExport, visit.form.get('as') === 'text')
    },
  }),
  defineRoute({
    path: erasePath,
    method: 'POST',
    auth: 'recent',
    back: personRightsPath,
    async handle(visit) {
      const row = await requestOf(deps, visit, visit.form.get('of'))
      const keep = [...visit.form.all('keep')]
      if (visit.form.get('sure') !== 'yes')
        return show(deps, visit, row, 'Confirm that this cannot be undone.')
      try {
        await personActs.erase.perform(ownerOf(deps, visit), { row, input: { keep } })
      } catch (error) {
        if (!isRefusal(error)) throw error
        return show(deps, visit, row, error.message)
      }
      return visit.leave(addressOf(row.id))
    },
  }),
]

const addressOf = (id: string) => `${personRightsPath}?${new URLSearchParams({ request: id })}`

const ownerOf = ({ owner }: SettingsDeps, { person, host }: SignedIn) => ({
  ...owner,
  by: { user_id: person.id, host: host.origin },
})

/** Returns a search of the person's own agency. */
async function requestOf(
  { owner }: SettingsDeps,
  { person }: SignedIn,
  id: string,
): Promise<PersonRequestRow> {
  const row = await owner.rows(PersonRequest).get(id)
  if (row?.agency_id === person.agency_id) return row
  throw new Refusal('not_found', 'This agency has no such search.')
}

async function search(deps: SettingsDeps, visit: SignedIn): Promise<Response> {
  const typed = Object.fromEntries(fields.map(([name]) => [name, listOf(visit.form.get(name))]))
  const agency = await deps.owner.rows(Agency).get(visit.person.agency_id)
  if (!agency) throw new Refusal('not_found', 'There is no such agency.')
  try {
    const { created = '' } = await personActs.find.perform(ownerOf(deps, visit), {
      row: agency,
      input: typed,
    })
    return visit.leave(addressOf(created))
  } catch (error) {
    if (!isRefusal(error)) throw error
    return start(deps, visit, error)
  }
}

const listOf = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

async function start({ owner }: SettingsDeps, visit: SignedIn, fault?: Refusal): Promise<Response> {
  const wrong = fault?.details.errors?.[0]
  const rows = await owner.rows(PersonRequest).list({
    where: where.eq('workspace_id', visit.person.agency_id),
    sort: [{ field: 'created_date', direction: 'desc' }],
    limit: 50,
  })
  return visit.page({
    title: fault === undefined ? "People's rights" : "Error: People's rights",
    status: fault === undefined ? 200 : 422,
    width: 'wide',
    children: (
      <>
        <Head title="People's rights">
          Find everything about one person: reviews, mentions, leads, people of the agency, recipients of
          mail, and texts that name them. Then export or erase it.
        </Head>
        {fault !== undefined && wrong === undefined && <Notice tone="bad" title={fault.message} />}
        <Card
          title="Find a person"
          about="Renown stores no more than digests of what you type, so the list of searches names nobody."
        >
          <Form action={personRightsPath} csrf={visit.csrf}>
            {fields.map(([name, label, hint]) => (
              <Field
                key={name}
                name={name}
                label={label}
                hint={hint}
                autocomplete="off"
                optional
                error={wrong?.pointer === `/${name}` ? wrong.message : undefined}
                value={fault === undefined ? '' : visit.form.get(name)}
              />
            ))}
            <Button>Search</Button>
          </Form>
        </Card>
        {rows.length > 0 && (
          <Card title="Searches and erasures">
            <Table
              label="Searches and erasures"
              columns={['When', 'State', 'Records']}
              rows={rows.map((row) => [
                <a key="at" href={addressOf(row.id)}>
                  <Moment at={row.created_date} />
                </a>,
                stateWords[row.state],
                countOf(row).toLocaleString('en'),
              ])}
            />
          </Card>
        )}
      </>
    ),
  })
}

const stateWords = {
  searching: 'Searching',
  found: 'Found',
  erasing: 'Erasing',
  erased: 'Erased',
} as const satisfies Record<PersonRequestRow['state'], string>

const countOf = ({ found }: PersonRequestRow) =>
  Object.values(found).reduce((sum, { about, named }) => sum + about + named, 0)

async function show(
  deps: SettingsDeps,
  visit: SignedIn,
  row: PersonRequestRow,
  fault?: string,
): Promise<Response> {
  const rows =
    row.state === 'found'
      ? await foundRows(deps.owner, personRightsOf(deps.owner).entities, row, shownMax)
      : []
  return visit.page({
    title: fault === undefined ? 'One person' : 'Error: One person',
    status: fault === undefined ? 200 : 422,
    width: 'wide',
    children: (
      <>
        <Head title="One person">
          <a href={personRightsPath}>All searches</a>
        </Head>
        {fault !== undefined && <Notice tone="bad" title={fault} />}
        {(row.state === 'searching' || row.state === 'erasing') && (
          <Notice title={`${stateWords[row.state]}. It continues in the background`}>
            <a href={addressOf(row.id)}>Show the current state</a>
          </Notice>
        )}
        {row.state === 'erased' && <Erased row={row} />}
        {row.state !== 'searching' && <Counts row={row} />}
        {row.state === 'found' && <Found row={row} rows={rows} csrf={visit.csrf} />}
      </>
    ),
  })
}

const Counts = ({ row: { found, tables } }: { readonly row: PersonRequestRow }) => (
  <Card title="Records by type">
    <Table
      label="Records by type"
      columns={['Record type', 'About the person', 'Naming the person']}
      rows={[
        ...Object.entries(found).map(([name, { about, named }]) => [
          <code key="name">{name}</code>,
          about.toLocaleString('en'),
          named.toLocaleString('en'),
        ]),
        ...Object.entries(tables).map(([name, named]) => [
          <code key="name">{name}</code>,
          '–',
          named.toLocaleString('en'),
        ]),
      ]}
      empty="Nothing was found."
    />
  </Card>
)

interface FoundProps {
  readonly row: PersonRequestRow
  readonly rows: readonly FoundRow[]
  readonly csrf: string
}

const Found = ({ row, rows, csrf }: FoundProps) =>
  countOf(row) + Object.keys(row.tables).length === 0 ? null : (
    <>
      <Card
        title="Export"
        about="Everything about the person, without secrets. Records of others show only the text that names the person."
      >
        <Row>
          {(['json', 'text'] as const).map((form) => (
            <Form key={form} action={exportPath} csrf={csrf} hidden={{ of: row.id, as: form }} inline>
              <Button kind="plain">{form === 'json' ? 'Download JSON' : 'Download text'}</Button>
            </Form>
          ))}
        </Row>
      </Card>
      <Card title="Erase this person" about="Tick records that are about somebody else. They stay.">
        <Form action={erasePath} csrf={csrf} hidden={{ of: row.id }}>
          {rows.map(({ id, record_type, is_about, shown }) => (
            <Checkbox
              key={id}
              name="keep"
              value={id}
              label={<bdi>{shown === '' ? id : shown}</bdi>}
              hint={`${record_type}, ${is_about ? 'about the person' : 'names the person'}`}
            />
          ))}
          {countOf(row) > rows.length && (
            <p class="hint">{`The first ${rows.length} of ${countOf(row)} records.`}</p>
          )}
          <p>What an erasure cannot reach:</p>
          <NotReached />
          <Checkbox name="sure" label="I know that this cannot be undone" />
          <Button kind="danger">Erase this person</Button>
        </Form>
      </Card>
    </>
  )

const NotReached = () => (
  <ul>
    {notReached.map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
)

const Erased = ({ row: { erased_at, noted_in, missing_in } }: { readonly row: PersonRequestRow }) => (
  <Card title="Erased">
    {erased_at !== undefined && (
      <p>
        <Moment at={erased_at} />
      </p>
    )}
    <NotReached />
    {noted_in.length > 0 && (
      <>
        <p>
          These backups still have the person. They have a note, so that a restore erases the person again:
        </p>
        <ul>
          {noted_in.map((path) => (
            <li key={path}>
              <code>{path}</code>
            </li>
          ))}
        </ul>
      </>
    )}
    {missing_in.length > 0 && (
      <Notice tone="warn" title="Folders of backups that could not be reached">
        {missing_in.join(', ')}. Copy erasures.ndjson of the data folder into each backup there.
      </Notice>
    )}
  </Card>
)

function download({ owner }: SettingsDeps, made: PersonExport, isText: boolean): Response {
  const day = dayIn('UTC', owner.now())
  return new Response(isText ? readableExport(made) : `${JSON.stringify(made, null, 2)}\n`, {
    headers: {
      'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
      'content-disposition': `attachment; filename="renown-person-${day}.${isText ? 'txt' : 'json'}"`,
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    },
  })
}
