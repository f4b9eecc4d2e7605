/** @jsxImportSource renown/web */
import { Card, Facts, formatNumber, type PageCardProps } from 'renown/web'

/** The data of the card. */
export interface LeadsCardData {
  readonly location_id: string
  /** Number of open leads whose next step is due. */
  readonly due: number
  readonly stages: readonly { readonly stage: 'new' | 'contacted' | 'qualified'; readonly count: number }[]
}

const names = { new: 'New', contacted: 'Contacted', qualified: 'Qualified' } as const

/** Shows how many open leads a location has, with links to them. */
export default function LeadsCard({ data: { location_id, due, stages } }: PageCardProps<LeadsCardData>) {
  const to = (more: Readonly<Record<string, string>>) =>
    `/app/leads?${new URLSearchParams({ location: location_id, ...more })}`
  return (
    <Card title="Leads">
      <Facts
        of={[
          ...stages.map(
            ({ stage, count }) =>
              [
                names[stage],
                <a key={stage} href={to({ stage })}>
                  {formatNumber(count)}
                </a>,
              ] as const,
          ),
          ...(due === 0
            ? []
            : [
                [
                  'Next steps due',
                  <a key="due" href={to({ due: '1' })}>
                    {formatNumber(due)}
                  </a>,
                ] as const,
              ]),
        ]}
      />
      <p>
        <a href={to({})}>Open the board of this location</a>
      </p>
    </Card>
  )
}
