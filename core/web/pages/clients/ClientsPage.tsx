/** @jsxImportSource ../../kit/jsx */
import type { ListData } from '../../../contracts/list'
import type { PageProps } from '../../kit/browser/page-props'
import { Evidence } from '../../kit/parts/evidence'
import { ButtonLink, Head, Notice } from '../../kit/parts/kit'
import { Listed } from '../../kit/parts/listed'
import type { ClientsOwn } from './clients-page'

/** Shows the clients of an agency, and how their figures are counted. */
export default function ClientsPage({ data, notice, path }: PageProps<ListData<ClientsOwn>>) {
  const { list, definitions, isCut, mayManage } = data
  return (
    <>
      <Head
        title="Clients"
        tools={
          mayManage && (
            <ButtonLink href={`${path}/new`} kind="primary">
              Add client
            </ButtonLink>
          )
        }
      >
        One row for each workspace.
      </Head>
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      {isCut && <Notice tone="warn">There are more clients than are shown. Search by name.</Notice>}
      <Listed of={list} />
      <Evidence
        figure="How the columns are counted"
        label="the columns"
        definition="Each workspace is counted in its own time zone. Unknown values come last."
        facts={[
          ...definitions,
          [
            'Last activity',
            'The newest review of the last 28 days, or the last time that a website reported.',
          ],
        ]}
      />
    </>
  )
}
