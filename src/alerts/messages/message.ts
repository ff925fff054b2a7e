/** A message to people, before it becomes an email or a chat message. Contains no personal data. */
export interface Message {
  language: 'en' | 'de';
  subject: string;
  sections: Section[];
  /** The reason why the recipient gets the message, with a link to the page where the merchant can change that. */
  footer: { text: string; link: Link };
}

export interface Section {
  title: string;
  texts?: string[];
  /** Facts with their values, such as the numbers of a week. */
  facts?: { name: string; value: string; note?: string }[];
  links?: Link[];
}

export interface Link {
  label: string;
  url: string;
}
