import { UserError } from '../graphql/run-mutation.ts';

/** The maximum length of an order's tag and of a product's tag (REST's Order page). */
const LENGTHS = { order: 40, product: 255 };
const LIMIT = 250;

/**
 * Adds tags. Existing tags keep their spelling, because tags are compared case-insensitively. Throws a user error if a tag is too long or
 * there are too many tags.
 */
export function withTags(known: readonly string[], more: readonly string[], of: keyof typeof LENGTHS): string[] {
  const tags = [...known];
  for (const tag of toSingleTags(more)) {
    if (tag.length > LENGTHS[of]) {
      throw new UserError(['tags'], `Each tag can be at most ${LENGTHS[of]} characters long.`);
    }
    if (!includesTag(tags, tag)) tags.push(tag);
  }
  if (tags.length > LIMIT) throw new UserError(['tags'], `There can be at most ${LIMIT} tags.`);
  return tags;
}

export function withoutTags(known: readonly string[], less: readonly string[]): string[] {
  const removed = toSingleTags(less);
  return known.filter((tag) => !includesTag(removed, tag));
}

/** Splits texts that contain commas into separate tags. */
function toSingleTags(tags: readonly string[]): string[] {
  return tags.flatMap((tag) => tag.split(',').flatMap((one) => one.trim() || []));
}

function includesTag(tags: readonly string[], wanted: string): boolean {
  return tags.some((tag) => tag.toLowerCase() === wanted.toLowerCase());
}
