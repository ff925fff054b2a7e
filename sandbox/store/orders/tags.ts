import { UserError } from '../graphql/answer-mutation.ts';

/** How long a tag of an order may be; of a product it is 255 (REST's Order page). */
const LENGTHS = { order: 40, product: 255 };
const LIMIT = 250;

/**
 * Tags with some more; those that are there stay as they are written, since upper and lower case are one. Throws the user error for
 * too long ones.
 */
export function withTags(known: readonly string[], more: readonly string[], of: keyof typeof LENGTHS): string[] {
  const tags = [...known];
  for (const tag of toSingleTags(more)) {
    if (tag.length > LENGTHS[of]) {
      throw new UserError(['tags'], `Each tag can be at most ${LENGTHS[of]} characters long.`);
    }
    if (!includes(tags, tag)) tags.push(tag);
  }
  if (tags.length > LIMIT) throw new UserError(['tags'], `There can be at most ${LIMIT} tags.`);
  return tags;
}

export function withoutTags(known: readonly string[], less: readonly string[]): string[] {
  const gone = toSingleTags(less);
  return known.filter((tag) => !includes(gone, tag));
}

/** A text with commas is several tags. */
function toSingleTags(tags: readonly string[]): string[] {
  return tags.flatMap((tag) => tag.split(',').flatMap((one) => one.trim() || []));
}

function includes(tags: readonly string[], wanted: string): boolean {
  return tags.some((tag) => tag.toLowerCase() === wanted.toLowerCase());
}
