import { parseEvent } from '../../../src/print/events.ts';
import { at, change, concrete, fullBody } from '../table/bodies.ts';
import { checkResponseFields } from './check-response-fields.ts';
import { isAbsent, isSame, findLostFields, toWrongValue } from './check-client.ts';
import { OLDER_KINDS } from '../table/events.ts';
import { walk, type EventKind } from '../table/table.ts';

/** Fields without which the app cannot use an event: its IDs and the reported change. Some fields apply to only one kind of event. */
const ESSENTIAL_FIELDS = new Set([
  'orderId',
  'orderReferenceId',
  'itemReferenceId',
  'items[].itemReferenceId',
  'fulfillmentStatus',
  'order_item_status_updated status',
  'trackingCode',
  'productAvailability',
  'productAvailability[].productUid',
  'storeProductId',
  'storeProductTemplateId',
]);

/** Fields without which the app skips the list entry but still uses the event. */
const NAMES = new Set(['productAvailability[].availability[].stockRegionUid']);

/** Returns the prefix of an event's rows in a difference. */
function rowsOf({ name }: EventKind): string {
  return `event ${name}`;
}

/** Returns the app's name for a field with two spellings. */
function toResultPath(place: string): string {
  return place.replace(/^production(?=Country|State|Facility)/, 'fulfillment');
}

/** Returns the differences between an event as the app parses it and its rows. */
export function checkParsing(event: EventKind): string[] {
  const { name, style, fields, alsoSpelled = {} } = event;
  const kind = OLDER_KINDS[name] ?? name;
  const full = { [style]: name, ...fullBody(fields) };
  const wrong: string[] = [];
  const read = (body: unknown) => {
    const { kind: readKind, ...rest } = parseEvent(body);
    return readKind === kind ? rest : undefined;
  };
  for (const { path, field } of walk(fields)) {
    const place = concrete(path);
    const readPlace = toResultPath(place);
    const sent = at(full, place);
    const whole = read(full);
    if (field.fields === undefined && !isSame(sent, at(whole, readPlace))) {
      wrong.push(`${path}: sent ${JSON.stringify(sent)}, read ${JSON.stringify(at(whole, readPlace))}`);
    }
    const isEssential = ESSENTIAL_FIELDS.has(path) || ESSENTIAL_FIELDS.has(`${kind} ${path}`);
    // The app stores an event with an invalid list as unknown.
    for (const value of [undefined, null, ...(field.fields === undefined ? [toWrongValue(field)] : [])]) {
      const without = read(change(full, { [place]: value }));
      const isRead = without !== undefined;
      if (isRead === isEssential) wrong.push(`${path}: ${JSON.stringify(value) ?? 'absent'}, read: ${isRead}`);
      if (isRead && !isAbsent(at(without, readPlace))) wrong.push(`${path}: absent, but read as a value`);
      if (isRead && !NAMES.has(path))
        wrong.push(
          ...findLostFields(path, fields, full, without, toResultPath).map((lost) => `${path}: loses ${lost}`),
        );
    }
    for (const value of field.values === undefined
      ? []
      : [...field.values, ...(field.furtherValues ?? []), 'a_new_one']) {
      const news = read(change(full, { [place]: value }));
      if (at(news, readPlace) !== value) wrong.push(`${path}: "${value}" is not read`);
    }
  }
  for (const [spelling, other] of Object.entries(alsoSpelled)) {
    const respelled = change(full, { [other]: at(full, spelling), [spelling]: undefined });
    if (!isSame(read(full), read(respelled))) wrong.push(`${other} is not read as ${spelling}`);
  }
  if (read({ ...full, aNewField: 'x' }) === undefined) wrong.push('an event with a new field is not read');
  if (event.lacksId === true && read({ id: 'ev_1', ...full }) === undefined)
    wrong.push('an event with an id is not read');
  return wrong.map((one) => `${rowsOf(event)} ${one}`);
}

/** Returns the differences between an event from the stand-in and its rows. */
export function checkSent(event: EventKind, body: unknown): string[] {
  const { name, style, fields, alsoSpelled = {}, lacksId = false } = event;
  const rows = rowsOf(event);
  let named: unknown = body;
  for (const [spelling, other] of Object.entries(alsoSpelled)) {
    if (at(body, other) === undefined) continue;
    named = change(named, { [spelling]: at(body, other) });
  }
  const otherStyle = style === 'event' ? 'object' : 'event';
  return [
    ...checkResponseFields(named, { rows, fields }),
    ...(at(body, style) === name && at(body, otherStyle) === undefined
      ? []
      : [`${rows}: named ${JSON.stringify(body)}`]),
    ...(lacksId && at(body, 'id') !== undefined ? [`${rows}: has an id`] : []),
    ...(parseEvent(body).kind === (OLDER_KINDS[name] ?? name) ? [] : [`${rows}: the app does not read the event`]),
  ];
}
