/** @jsxImportSource ../../kit/jsx */

const words = ['Names', 'Install and connect']

/** The progress of the first steps. */
export const steps = (at: 1 | 2) => (
  <ol class="steps" aria-label="Steps">
    {words.map((word, place) => (
      <li key={word} aria-current={place + 1 === at ? 'step' : undefined}>
        {word}
        {place + 1 < at && <span class="unseen"> (done)</span>}
      </li>
    ))}
  </ol>
)
