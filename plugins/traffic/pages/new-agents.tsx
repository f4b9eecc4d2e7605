/** @jsxImportSource renown/web */
import { Card, Head, Notice, type PageProps, Table } from 'renown/web'
import { boundsInWords, daysOfAgent } from '../sums/new-agent-words'
import type { NewAgentsData } from './newAgentsPage'

/** User agents that look like agents, with the bounds of their hits. */
export default function NewAgents({ data, path }: PageProps<NewAgentsData>) {
  return (
    <>
      <Head title="New agents">
        User agents that look like agents, but that the registry does not know. They are not counted as AI
        crawlers.
      </Head>
      {data.unknown_site !== null && (
        <Notice tone="warn" title="There is no such site">
          <bdi>{data.unknown_site}</bdi> is not a site of this workspace. You see all sites.
        </Notice>
      )}
      {data.site !== null && (
        <p>
          Only <bdi>{data.site}</bdi>. <a href={path}>Show all sites</a>
        </p>
      )}
      {data.agents.length === 0 ? <None hasSites={data.has_sites} /> : <List agents={data.agents} />}
      <p class="hint">
        A name is shown from ten hits at a site. It comes from the user agent, which anybody can choose.
        Renown keeps only the name, never the whole user agent or an address.
      </p>
    </>
  )
}

const None = ({ hasSites }: { readonly hasSites: boolean }) => (
  <Card title="No new agents">
    <p>
      {hasSites
        ? 'No unknown user agent that looks like an agent has ten hits yet.'
        : 'There is no site in this workspace, so nothing is counted.'}
    </p>
  </Card>
)

const List = ({ agents }: Pick<NewAgentsData, 'agents'>) => (
  <Card title="Look at these">
    <Table
      label="New agents"
      columns={['Name', 'Hits', 'Site', 'Days', 'Documentation']}
      rows={agents.map((agent) => [
        <bdi key="token">{agent.token}</bdi>,
        boundsInWords(agent),
        <bdi key="site">{agent.name}</bdi>,
        daysOfAgent(agent),
        agent.host === null ? '–' : <bdi key="host">{agent.host}</bdi>,
      ])}
    />
  </Card>
)
