// Holds the GraphQL type of the preview pictures of prints.
import { Field, Int, ObjectType } from 'type-graphql';
import { MAX_THUMBNAIL_BYTES, MAX_THUMBNAIL_PIXELS } from '../../values/thumbnail';

@ObjectType({ description: 'The slicer’s preview picture of a print’s file.', simpleResolvers: true })
export class PrintThumbnail {
  @Field(() => Int, { description: `Width in pixels, 1 to ${MAX_THUMBNAIL_PIXELS}.` })
  width!: number;

  @Field(() => Int, { description: `Height in pixels, 1 to ${MAX_THUMBNAIL_PIXELS}.` })
  height!: number;

  @Field(() => String, {
    description:
      `The picture as a data URL, \`data:image/png;base64,…\` or \`data:image/jpeg;base64,…\`, of a file with at most ` +
      `${MAX_THUMBNAIL_BYTES >> 10} KB. It comes from a machine or a slicer: show it as an image only.`,
  })
  dataUrl!: string;
}
