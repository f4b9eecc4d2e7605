import type { Person } from '../../auth/sessions'

/** Whether this person turned on single-key shortcuts. They are off by default (WCAG 2.1.4). */
export const hasShortcuts = ({ shortcuts_on }: Pick<Person, 'shortcuts_on'>): boolean => shortcuts_on === true
