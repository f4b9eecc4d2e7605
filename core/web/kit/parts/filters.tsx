/** @jsxImportSource ../jsx */
import { formatDay } from '../browser/format'
import type { Children } from '../jsx/jsx-runtime'

/** One filter of a list. Its value is in the address under its name. */
export interface Filter {
  readonly name: string
  readonly label: string
  readonly value: string
  /** Values that are also labels, or pairs of both. Without options, the filter is a text field. */
  readonly options?: readonly (string | readonly [value: string, words: string])[]
  /** What the list shows without a choice. All, if this is left out. */
  readonly none?: string
  /** A search field: it is wider, and `/` moves the focus to it. */
  readonly isSearch?: boolean
  /** A day, chosen in the calendar of the browser. */
  readonly isDay?: boolean
  /** A choice of how the list is shown, such as its order. It leaves out no row, so it has no chip. */
  readonly isPosition?: boolean
}

export interface FiltersProps {
  /** The path of the page. */
  readonly action: string
  readonly label: string
  readonly filters: readonly Filter[]
  /** Further filters, folded away until one of them is set. */
  readonly more?: readonly Filter[]
  /** Other values of the address, which stay. */
  readonly keep?: Readonly<Record<string, string>>
  /** Content at the end of the row. */
  readonly children?: Children
}

/** The filters of a list: a form that changes the address, and a chip for each filter that is set, which removes it. */
export function Filters({ action, label, filters, more = [], keep = {}, children }: FiltersProps) {
  const all = [...filters, ...more]
  const set = all.filter(({ value, isPosition }) => value !== '' && !isPosition)
  return (
    <div class="stack">
      <form class="filters" method="get" action={action} aria-label={label}>
        {Object.entries(keep).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {filters.map((filter) => (
          <FilterField key={filter.name} of={filter} />
        ))}
        <button type="submit" class="button plain">
          Apply
        </button>
        {more.length > 0 && (
          <details class="more" open={more.some(({ value }) => value !== '')}>
            <summary>More filters</summary>
            <div class="more-fields">
              {more.map((filter) => (
                <FilterField key={filter.name} of={filter} />
              ))}
            </div>
          </details>
        )}
        {children}
      </form>
      {set.length > 0 && (
        <ul class="chips" aria-label="Filters that are set">
          {set.map(({ name, label, value, options, isDay }) => (
            <li key={name}>
              <a class="chip" href={without(action, all, keep, name)}>
                <span>
                  {label}: <bdi>{isDay ? formatDay(value) : wordsOf(value, options)}</bdi>
                </span>
                <span aria-hidden="true">✕</span>
                <span class="unseen">: remove this filter</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function FilterField({
  of: { name, label, value, options, none = 'All', isSearch, isDay },
}: {
  readonly of: Filter
}) {
  const id = `filter-${name}`
  return (
    <div class={isSearch ? 'field long' : 'field'}>
      <label for={id}>{label}</label>
      {options ? (
        <select id={id} name={name}>
          <option value="">{none}</option>
          {options.map(pairOf).map(([key, words]) => (
            <option key={key} value={key} selected={key === value}>
              {words}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          name={name}
          type={isSearch ? 'search' : isDay ? 'date' : 'text'}
          defaultValue={value}
          autocomplete="off"
        />
      )}
    </div>
  )
}

const pairOf = (option: string | readonly [string, string]) =>
  typeof option === 'string' ? ([option, option] as const) : option

const wordsOf = (value: string, options: Filter['options']) =>
  options?.map(pairOf).find(([key]) => key === value)?.[1] ?? value

function without(
  action: string,
  filters: readonly Filter[],
  keep: Readonly<Record<string, string>>,
  name: string,
) {
  const left = filters.filter((each) => each.name !== name && each.value !== '')
  const query = new URLSearchParams([
    ...Object.entries(keep),
    ...left.map(({ name, value }): [string, string] => [name, value]),
  ])
  return query.size === 0 ? action : `${action}?${query}`
}
