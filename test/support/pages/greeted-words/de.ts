export default {
  title: 'Aus der Ferne gegrüßt',
  stars: { one: '{count} leuchtender Stern', other: '{count} leuchtende Sterne' },
  link: 'Bitte zu {page} gehen.',
}
