/** Type under which a dragged thumbnail of the worklist carries its film's id. */
export const filmDragType = "application/x-corvet-film";
